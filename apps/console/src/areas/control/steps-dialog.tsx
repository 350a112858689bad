import type { CommandStep } from '@linewarden/contract'
import { commandSteps } from '@linewarden/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, messageOf } from '../../app/api.ts'
import { Failed, Loading } from '../../ui/body-state.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { clockTime } from '../../ui/format.ts'
import { outcomeWord, stateWord } from './command-words.ts'
import './operations.css'

/** Every step of one command: when, what it became, and the fact that made it so. */
export function StepsDialog({ commandId, onClose }: { commandId: string; onClose: () => void }) {
  const { t } = useTranslation(['operations', 'control'])
  const { data, isError, error, refetch } = useQuery({
    queryKey: ['steps', commandId],
    queryFn: () => api.call(commandSteps, { params: { CommandID: commandId } }),
  })
  const begun = data?.Steps[0]?.At ?? 0
  return (
    <Dialog label={t('stepsTitle')} wide onClose={onClose}>
      <h2>{t('stepsTitle')}</h2>
      <div className="content">
        {isError ? (
          <Failed message={messageOf(error)} retry={() => refetch()} />
        ) : !data ? (
          <Loading />
        ) : (
          <>
            <p>
              <b>{t(`control:${data.Entry.Command.Action}`)}</b> {data.Entry.LineName} · {data.Entry.Command.Actor} ·{' '}
              {stateWord(data.Entry.Command)}
            </p>
            <ol className="command-steps">
              {data.Steps.map((step, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever appended
                <li key={index}>
                  <time>{index === 0 ? clockTime(step.At) : `+${((step.At - begun) / 1000).toFixed(2)} s`}</time>
                  <b>{t(`control:states.${step.State}`)}</b>
                  <span>{evidence(step)}</span>
                </li>
              ))}
            </ol>
            <p className="mute id">{commandId}</p>
          </>
        )}
      </div>
      <div className="foot">
        <button type="button" className="btn" onClick={onClose}>
          {t('close')}
        </button>
      </div>
    </Dialog>
  )

  function evidence({ Evidence: fact }: CommandStep): string {
    const reason = outcomeWord(typeof fact.reason === 'string' ? fact.reason : null) ?? '–'
    switch (fact.kind) {
      case 'sent':
      case 'tick':
      case 'restart':
        return t(`facts.${fact.kind}`)
      case 'notSent':
        return t('facts.notSent', { reason })
      case 'result':
        return fact.status === 'accepted' ? t('facts.accepted') : t('facts.refused', { reason })
      case 'position':
        return t('facts.position', { value: fact.value === 'open' ? t('open') : t('closed') })
      case 'state':
        return t('facts.state', { value: String(fact.value) })
      case 'measured':
        return t('facts.measured', { ms: String(fact.tripMs) })
      default:
        return t('facts.authorised', { fence: String(fact.fence ?? '–') })
    }
  }
}
