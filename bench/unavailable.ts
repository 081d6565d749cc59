/** What a bench needs is not on this machine: its rows are not measured, and nothing is wrong. */
export class Unavailable extends Error {}
