import { useSyncExternalStore } from 'react'

const query = matchMedia('(max-width: 760px)')

/** Whether the page is a phone's. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => query.matches,
  )
