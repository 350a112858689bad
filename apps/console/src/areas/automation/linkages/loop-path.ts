import type { Text } from '@linewarden/equipment'

export interface LoopBox {
  readonly kind: 'linkage' | 'line'
  readonly name: string
  /** What a linkage does to the line after it, where that is known. */
  readonly effect: 'trip' | 'close' | null
}

/** `联动「A」` and `线路「1」` of the path in which the server names a loop; it ends where it begins. */
const step = /^(联动|线路|linkage |line )[「“](.*)[」”]$/

/**
 * The boxes of a loop from the words of its path, without the last, which is the first again. It begins with a close. Empty: the words are of
 * another kind, and are shown as they are.
 */
export function loopBoxes(path: Text, language: keyof Text): readonly LoopBox[] {
  const found = path[language].split(' → ').map((word) => step.exec(word))
  if (found.some((each) => each === null) || found.length < 3) return []
  return found.slice(0, -1).map((each, index) => ({
    kind: each?.[1]?.startsWith('联动') || each?.[1]?.startsWith('linkage') ? 'linkage' : 'line',
    name: each?.[2] ?? '',
    effect: index === 0 ? 'close' : null,
  }))
}
