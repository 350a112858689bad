import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'

/**
 * While something is not saved, going to another place or page is asked for first; closing the tab, too. `names`: the parts of the address that
 * take the form away, where others only narrow what stands beside it.
 */
export function useUnsaved(isUnsaved: boolean, names?: readonly string[]) {
  const released = useRef(false)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isUnsaved &&
      !released.current &&
      (currentLocation.pathname !== nextLocation.pathname || differs(currentLocation.search, nextLocation.search, names)),
  )
  useEffect(() => {
    if (!isUnsaved) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isUnsaved])
  return {
    isLeaving: blocker.state === 'blocked',
    stay: () => blocker.reset?.(),
    leave: () => blocker.proceed?.(),
    /** It is saved, or given up: nothing is asked any more. */
    release: () => {
      released.current = true
    },
  }
}

function differs(from: string, to: string, names: readonly string[] | undefined): boolean {
  if (!names) return from !== to
  const [before, after] = [new URLSearchParams(from), new URLSearchParams(to)]
  return names.some((name) => before.get(name) !== after.get(name))
}
