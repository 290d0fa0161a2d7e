/** The object without the keys that have no value: in exact types an absent key and `undefined` differ. */
export function defined<Fields extends object>(fields: { [Key in keyof Fields]: Fields[Key] | undefined }): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields
}
