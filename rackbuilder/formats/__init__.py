EXPORTS: tuple[object, ...] = ()
