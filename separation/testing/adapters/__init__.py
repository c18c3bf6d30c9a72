"""What people have as a solver: a function, a construction, a torch module, a Hugging Face folder, a server."""
