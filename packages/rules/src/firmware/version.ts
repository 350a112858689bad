const form = /^(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})$/

/** Reads `major.minor.patch`; null for anything else. */
export function readVersion(text: string): readonly [number, number, number] | null {
  const [, major, minor, patch] = form.exec(text) ?? []
  return major === undefined ? null : [Number(major), Number(minor), Number(patch)]
}

/** One version compared with another: below 0 older, 0 the same, above 0 newer; null when one of them cannot be read or is not known. */
export function compareVersions(one: string | null, other: string | null): number | null {
  const left = one === null ? null : readVersion(one)
  const right = other === null ? null : readVersion(other)
  if (!left || !right) return null
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2]
}

/** The version of a gateway compared with that of an image: `unknown` when it never said what it runs, or said it in another form. */
export function versionStatus(reported: string | null, target: string): 'older' | 'same' | 'newer' | 'unknown' {
  const order = compareVersions(reported, target)
  if (order === null) return 'unknown'
  return order < 0 ? 'older' : order > 0 ? 'newer' : 'same'
}
