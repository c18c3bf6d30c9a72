"""What a reader without Python gets: a second kernel, that runs in Node and in a browser.

| file | what it holds |
|---|---|
| `kernel.mjs` | checks certificates of every kind; written from docs/certificates.md, no code of the first kernel |
"""
