"""What people see: a table for each report, and a progress bar for what takes longer than two seconds."""
