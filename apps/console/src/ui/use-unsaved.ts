import { useEffect } from 'react'
import { useBlocker } from 'react-router'

/** While something is not saved, going to another place or page is asked for first; closing the tab, too. */
export function useUnsaved(isUnsaved: boolean) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isUnsaved && (currentLocation.pathname !== nextLocation.pathname || currentLocation.search !== nextLocation.search),
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
  }
}
