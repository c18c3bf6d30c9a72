"""The constructions inside models that nobody here wrote: checkpoints that stock classes of transformers load."""
