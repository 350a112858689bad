/**
 * Canonical JSON (RFC 8785): keys in the order of their UTF-16 units, no blanks, numbers and texts as ECMAScript writes them, so that whoever has
 * the value has the bytes.
 *
 * @throws TypeError for what JSON cannot say: a number that is not finite, a lone surrogate, or whatever is no JSON at all.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`)
    return JSON.stringify(value)
  }
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new TypeError('a lone surrogate is no text')
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object') throw new TypeError(`JSON has no ${typeof value}`)
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([key, each]) => `${canonicalJson(key)}:${canonicalJson(each)}`).join(',')}}`
}
