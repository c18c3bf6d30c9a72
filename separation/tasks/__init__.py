"""The problems that models are asked to solve, each in a room of its own."""
