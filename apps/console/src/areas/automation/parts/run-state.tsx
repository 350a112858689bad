import type { RunState } from '@linewarden/rules/automation'
import { useTranslation } from 'react-i18next'
import './parts.css'

/** How a run ended. What is over needs nobody, so it is ink; what was not done as meant is bold. */
export function RunStateWord({ state }: { state: RunState }) {
  const { t } = useTranslation('automation')
  const isPlain = state === 'done' || state === 'running' || state === 'skipped' || state === 'merged'
  return <span className={isPlain ? 'run-state' : 'run-state amiss'}>{t(`runStates.${state}`)}</span>
}
