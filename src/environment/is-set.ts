/** Set in the environment, and not to a value that means no. */
export const isSet = (value: string | undefined): boolean => value !== undefined && !["", "0", "false"].includes(value);
