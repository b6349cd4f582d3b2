/** An error that the person at the terminal can fix: its message is shown without a stack trace. */
export class StartError extends Error {}
