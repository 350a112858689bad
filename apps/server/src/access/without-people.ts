/** Who did something, in records of equipment. */
const people: ReadonlySet<string> = new Set([
  ...[
    'Actor',
    'Holder',
    'By',
    'ChangedBy',
    'RemovedBy',
    'StartedBy',
    'StoppedBy',
    'AcknowledgedBy',
    'MadeBy',
    'UploadedBy',
    'TypedBy',
    'UndoneBy',
    'EnteredBy',
    'Issuer',
  ],
  'OwnerName',
])
const hidden = '—'

/**
 * The same record with nobody named: for an account that equipment is shared with. Their organisation sees what was done to it, not by which
 * of the owner's people; those names are log-in numbers too.
 */
export function withoutPeople<T>(value: T): T {
  return copy(value) as T
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      people.has(key) && typeof each === 'string' && each !== '' && each !== 'system' ? hidden : copy(each),
    ]),
  )
}
