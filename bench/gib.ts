export const GIB = 2 ** 30;
