"""Which model types of transformers are read off their modules, by which classes; and why others are not.

A type stands here when a real small model of it was run and compared with its reading (tests/architectures): its
attention calls, its masks and its cache were what was read, and another copy of the model, given the cache of a prompt
and nothing else, went on as if it had seen the prompt. A class that is not named here is refused, whatever its name.
"""

from __future__ import annotations

SOFTMAX = {
    "afmoe": "AfmoeAttention",
    "apertus": "ApertusAttention",
    "arcee": "ArceeAttention",
    "bailing_hybrid": "BailingHybridAttention",
    "bamba": "BambaAttention",
    "bitnet": "BitNetAttention",
    "bloom": "BloomAttention",
    "codegen": "CodeGenAttention",
    "cohere": "CohereAttention",
    "cohere2": "Cohere2Attention",
    "cwm": "CwmAttention",
    "deepseek_v2": "DeepseekV2Attention",
    "deepseek_v3": "DeepseekV3Attention",
    "dots1": "Dots1Attention",
    "ernie4_5": "Ernie4_5Attention",
    "ernie4_5_moe": "Ernie4_5_MoeAttention",
    "exaone4": "Exaone4Attention",
    "falcon": "FalconAttention",
    "falcon_h1": "FalconH1Attention",
    "flex_olmo": "FlexOlmoAttention",
    "gemma": "GemmaAttention",
    "gemma2": "Gemma2Attention",
    "gemma3_text": "Gemma3Attention",
    "glm": "GlmAttention",
    "glm4": "Glm4Attention",
    "glm4_moe": "Glm4MoeAttention",
    "glm4_moe_lite": "Glm4MoeLiteAttention",
    "gpt2": "GPT2Attention",
    "gpt_bigcode": "GPTBigCodeAttention",
    "gpt_neox": "GPTNeoXAttention",
    "gpt_oss": "GptOssAttention",
    "gptj": "GPTJAttention",
    "granite": "GraniteAttention",
    "granitemoe": "GraniteMoeAttention",
    "granitemoehybrid": "GraniteMoeHybridAttention",
    "granitemoeshared": "GraniteMoeSharedAttention",
    "helium": "HeliumAttention",
    "hunyuan_v1_dense": "HunYuanDenseV1Attention",
    "jamba": "JambaAttention",
    "kimi_linear": "KimiLinearAttention",
    "lfm2": "Lfm2Attention",
    "lfm2_moe": "Lfm2MoeAttention",
    "llama": "LlamaAttention",
    "mimo_v2_flash": "MiMoV2FlashAttention",
    "minimax": "MiniMaxAttention",
    "minimax_m2": "MiniMaxM2Attention",
    "ministral": "MinistralAttention",
    "ministral3": "Ministral3Attention",
    "mistral": "MistralAttention",
    "mixtral": "MixtralAttention",
    "nemotron": "NemotronAttention",
    "nemotron_h": "NemotronHAttention",
    "olmo": "OlmoAttention",
    "olmo2": "Olmo2Attention",
    "olmo3": "Olmo3Attention",
    "olmo_hybrid": "OlmoHybridAttention",
    "olmoe": "OlmoeAttention",
    "persimmon": "PersimmonAttention",
    "phi": "PhiAttention",
    "phi3": "Phi3Attention",
    "phimoe": "PhimoeAttention",
    "qwen2": "Qwen2Attention",
    "qwen2_moe": "Qwen2MoeAttention",
    "qwen3": "Qwen3Attention",
    "qwen3_5_moe_text": "Qwen3_5MoeAttention",
    "qwen3_5_text": "Qwen3_5Attention",
    "qwen3_moe": "Qwen3MoeAttention",
    "qwen3_next": "Qwen3NextAttention",
    "recurrent_gemma": "RecurrentGemmaAttention",
    "seed_oss": "SeedOssAttention",
    "smollm3": "SmolLM3Attention",
    "stablelm": "StableLmAttention",
    "starcoder2": "Starcoder2Attention",
    "vaultgemma": "VaultGemmaAttention",
    "zamba": "ZambaAttention",
    "zamba2": "Zamba2Attention",
}
"""The softmax attention of each type."""

RECURRENT = {
    "bailing_hybrid": "BailingHybridDeltaAttention",
    "bamba": "BambaMixer",
    "falcon_h1": "FalconH1Mixer",
    "falcon_mamba": "FalconMambaMixer",
    "granitemoehybrid": "GraniteMoeHybridMambaLayer",
    "jamba": "JambaMambaMixer",
    "kimi_linear": "KimiLinearDeltaAttention",
    "lfm2": "Lfm2ShortConv",
    "lfm2_moe": "Lfm2MoeShortConv",
    "mamba": "MambaMixer",
    "mamba2": "Mamba2Mixer",
    "minimax": "MiniMaxLightningAttention",
    "nemotron_h": "NemotronHMamba2Mixer",
    "olmo_hybrid": "OlmoHybridGatedDeltaNet",
    "qwen3_5_moe_text": "Qwen3_5MoeGatedDeltaNet",
    "qwen3_5_text": "Qwen3_5GatedDeltaNet",
    "qwen3_next": "Qwen3NextGatedDeltaNet",
    "recurrent_gemma": "RecurrentGemmaRecurrentBlock",
    "xlstm": "xLSTMLayer",
    "zamba": "ZambaMambaMixer",
    "zamba2": "Zamba2MambaMixer",
}
"""The recurrence or the short convolution of each type that has one."""

BOTH = {"FalconH1DecoderLayer": "beside", "ZambaHybridLayer": "after", "Zamba2HybridLayer": "after"}
"""Layers with attention and a recurrence. Falcon-H1 adds the outputs of both, which read the same stream: side by side.
Zamba's hybrid layer adds what its shared attention found to the stream that its Mamba then reads: F, then R."""

WRAPPERS = ("gemma3", "qwen3_5", "qwen3_5_moe")
"""Types that hold a text model and run it causally on text; what they do with pictures is not read."""

NOT_READ = {
    "axk2": "an indexer chooses the keys",
    "deepseek_v32": "an indexer chooses the keys",
    "deepseek_v4": "keys are compressed and chosen",
    "glm_moe_dsa": "an indexer chooses the keys",
    "hy_v4": "an indexer chooses the keys",
    "hrm_text": "its layers run several times, over a prefix both ways",
    "inkling_text": "short convolutions on keys, values and both outputs",
    "llama4": "attention in chunks",
    "llama4_text": "attention in chunks",
    "mllama": "cross attention",
    "qwen4_exp": "an indexer chooses the keys, and embeddings of several tokens",
    "qwen4_exp_text": "an indexer chooses the keys, and embeddings of several tokens",
    "glm5_next": "an indexer chooses the keys",
    "rwkv": "the class compiles a kernel while it is built",
    "zaya": "convolutions over queries and keys, and values of the token before",
    "gpt_neo": "its windows are inside its attention, not in the mask",
    "doge": "a mask that depends on the input",
    "diffllama": "differences of two attentions",
    "jetmoe": "heads that are chosen token by token",
    "gemma3n_text": "layers that share the keys of others",
    "gemma4_text": "layers that share the keys of others",
}
"""Types that were looked at and left out, with the reason."""

READ = tuple(sorted({*SOFTMAX, *RECURRENT}))
