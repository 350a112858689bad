import type { RunState } from '@linewarden/rules/automation'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/icon.tsx'
import './parts.css'

const icons = {
  done: 'check',
  merged: 'check',
  missed: 'close',
  refused: 'close',
  stopped: 'close',
  partly: 'warning',
  skipped: 'right',
  running: 'clock',
} as const satisfies Record<RunState, string>

/** How a run ended. What is over needs nobody, so it is ink; what was not done as meant is bold. */
export function RunStateWord({ state }: { state: RunState }) {
  const { t } = useTranslation('automation')
  const isPlain = state === 'done' || state === 'running' || state === 'skipped' || state === 'merged'
  return (
    <span className={isPlain ? 'run-state' : 'run-state amiss'}>
      <Icon name={icons[state]} />
      {t(`runStates.${state}`)}
    </span>
  )
}
