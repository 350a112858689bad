/** One photo at most, with what its sealing adds. */
const photoBytes = 410_000
/** So many photos must still fit before another is taken: what the browser estimates is rough. */
const minPhotos = 5

export interface Space {
  /** Null: the browser does not say. */
  readonly leftBytes: number | null
  readonly photos: number | null
  readonly isFull: boolean
}

export const spaceOf = ({ quota, usage }: StorageEstimate): Space => {
  if (quota === undefined || usage === undefined) return { leftBytes: null, photos: null, isFull: false }
  const leftBytes = Math.max(0, quota - usage)
  const photos = Math.floor(leftBytes / photoBytes)
  return { leftBytes, photos, isFull: photos < minPhotos }
}

/** How much this device still holds. */
export const space = async (): Promise<Space> => spaceOf((await navigator.storage?.estimate?.()) ?? {})

/** Asks the browser not to clear away what is kept when the device runs short. It need not agree. */
export const askToPersist = async (): Promise<boolean> => (await navigator.storage?.persist?.()) ?? false
