"""Models as ONNX graphs: written without torch, run by programs that nobody here wrote, and enclosed over boxes.

| file | what it holds |
|---|---|
| `graph` | a graph node by node, in operators of the standard or spelled out; two programs that run it |
| `networks` | stock GPT-2 and Llama, from config.json and tensors; full layers of this project, from ±1 codes |
| `enclosure` | what a graph can say for all inputs of a box, in ball arithmetic |
| `vnnlib` | questions about boxes in the language of verifiers |
"""
