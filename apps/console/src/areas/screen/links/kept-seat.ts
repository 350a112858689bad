/** What a browser keeps of the link that it shows: never the key, which opens it for others too. */
export interface KeptSeat {
  /** By which it comes back. */
  readonly secret: string
  readonly userId: string
  readonly token: string
  /** When the token is over, Unix ms. */
  readonly expiresAt: number
}

const key = 'linewarden.screen'

export function readSeat(): KeptSeat | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isSeat(kept) ? kept : null
  } catch {
    return null
  }
}

export const keepSeat = (seat: KeptSeat): void => localStorage.setItem(key, JSON.stringify(seat))

export const forgetSeat = (): void => localStorage.removeItem(key)

function isSeat(kept: unknown): kept is KeptSeat {
  if (typeof kept !== 'object' || kept === null) return false
  const { secret, userId, token, expiresAt } = kept as Record<string, unknown>
  return [secret, userId, token].every((each) => typeof each === 'string' && each !== '') && typeof expiresAt === 'number'
}
