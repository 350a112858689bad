import type { CommandRecord } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMayOpen } from '../../../app/session/use-may.ts'
import { paths } from '../../../paths.ts'
import { CommandSteps } from '../../control/command-steps.tsx'
import { outcomeWord } from '../../control/command-words.ts'
import './parts.css'

/** How far an order has come, each step by how long after it was given; by its id every step opens with the fact that made it. */
export function CommandTrace({ command }: { command: CommandRecord }) {
  const { t } = useTranslation(['automation', 'operations'])
  const [isOpen, setOpen] = useState(false)
  const may = [useMayOpen(paths.realtime), useMayOpen(paths.ledger)].some(Boolean)
  const id = command.CommandID.slice(0, 8)
  return (
    <span className="command-trace">
      <span>
        {stepsOf(command)
          .map(({ key, afterMs }) => `${t(`steps.${key}`)} +${(afterMs / 1_000).toFixed(2)} s`)
          .join(' › ')}
      </span>
      {command.Outcome !== null && <span>{outcomeWord(command.Outcome)}</span>}
      {may ? (
        <button
          type="button"
          className="text-link"
          title={command.CommandID}
          aria-label={`${t('operations:steps')} ${id}`}
          onClick={(event) => {
            event.stopPropagation()
            setOpen(true)
          }}
        >
          {id}
        </button>
      ) : (
        <span className="mute" title={command.CommandID}>
          {id}
        </span>
      )}
      {isOpen && <CommandSteps id={command.CommandID} onClose={() => setOpen(false)} />}
    </span>
  )
}

/** The steps that have been, each by how long after the order. */
export function stepsOf({ RequestedAt, SentAt, AcknowledgedAt, VerifiedAt }: CommandRecord) {
  const steps = [
    { key: 'sent', at: SentAt },
    { key: 'acknowledged', at: AcknowledgedAt },
    { key: 'verified', at: VerifiedAt },
  ] as const
  return steps.flatMap(({ key, at }) => (at === null ? [] : [{ key, afterMs: Math.max(0, at - RequestedAt) }]))
}
