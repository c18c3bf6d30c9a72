"""The recurrent families, one file each: a class for the family and one for a broken twin."""
