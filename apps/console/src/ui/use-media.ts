import { useSyncExternalStore } from 'react'

function useMedia(query: MediaQueryList): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => query.matches,
  )
}

const narrow = matchMedia('(max-width: 760px)')
const phone = matchMedia('(max-width: 599px)')
const tall = matchMedia('(min-width: 1800px) and (min-height: 1300px)')
const coarse = matchMedia('(pointer: coarse)')

/** Whether the page is a phone's. */
export const useNarrow = (): boolean => useMedia(narrow)

/** Whether the page is held in one hand: rows are cards. */
export const usePhone = (): boolean => useMedia(phone)

/** Whether it is touched rather than pointed at: targets are larger. */
export const useCoarse = (): boolean => useMedia(coarse)

/** Whether the screen is so large that pictures may be, too. */
export const useTall = (): boolean => useMedia(tall)
