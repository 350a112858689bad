import { useMemo } from 'react'

/** The very same list from draw to draw as long as the same numbers stand in it: what hangs on it is not done anew. */
export function useSameNumbers(numbers: readonly number[]): readonly number[] {
  const joined = numbers.join()
  return useMemo(() => (joined === '' ? [] : joined.split(',').map(Number)), [joined])
}
