"""Linear and integer solvers behind two small protocols; the only package that imports one."""
