import { useNavigation } from 'react-router'
import './progress.css'

/** A thin bar at the top while the next page is on its way (speed 500 ms, specification section 9). */
export function Progress() {
  const { state } = useNavigation()
  return <div className={state === 'idle' ? 'progress' : 'progress under-way'} aria-hidden="true" />
}
