/** A function of an object that is worked out once for each object, for as long as that object lives. */
export function oncePerObject<Key extends object, Value extends object>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}
