import type { RoundState } from '@linewarden/rules/inspection'
import { useTranslation } from 'react-i18next'
import { Mark } from '../../ui/mark.tsx'
import './state-mark.css'

/** Only a lapsed round has colour, because it opened a hazard; every other state is ink. */
export function RoundMark({ state }: { state: RoundState | null }) {
  if (state === 'lapsed') return <Mark kind="warning" size={12} />
  return (
    <svg className="round-mark" viewBox="0 0 14 14" aria-hidden="true">
      {(state === 'finished' || state === 'approved') && <circle cx="7" cy="7" r="6.300" fill="currentColor" />}
      {(state === 'finished' || state === 'approved') && <path className="tick" d="M3.800 7.200l2.300 2.200 4-4.600" />}
      {(state === 'planned' || state === null || state === 'started') && <circle className="ring" cx="7" cy="7" r="5.500" />}
      {state === 'started' && <path fill="currentColor" d="M7 7V1.500A5.500 5.500 0 1 1 1.500 7z" />}
      {state === 'returned' && <path className="ring" d="M3 5h6a3 3 0 0 1 0 6H5M5.500 2.500 3 5l2.500 2.500" />}
      {state === 'abandoned' && <path className="ring" d="M3 3l8 8M11 3l-8 8" />}
    </svg>
  )
}

export function RoundStateMark({ state, children }: { state: RoundState; children?: string }) {
  const { t } = useTranslation('inspection')
  return (
    <span className={state === 'lapsed' ? 'round-state late' : 'round-state'}>
      <RoundMark state={state} />
      {t(`states.${state}`)}
      {children}
    </span>
  )
}
