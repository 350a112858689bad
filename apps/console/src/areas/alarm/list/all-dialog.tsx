import { CallError } from '@linewarden/client'
import { acknowledgeMatching } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, messageOf } from '../../../app/net/api.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import type { Result } from './acts.ts'
import { acknowledgedResult } from './acts.ts'
import type { AlarmFilter } from './address.ts'

/**
 * Acknowledges all of a filter, up to the newest that this list has. When they have become others meanwhile nothing is acknowledged: the new
 * number is shown, and the person is asked again.
 */
export function AllDialog({
  filter,
  shown,
  waiting,
  onDone,
  onClose,
}: {
  filter: AlarmFilter
  /** What was the newest when the list was read. */
  shown: { readonly UpTo: string; readonly Mark: string }
  /** As the list shows it. */
  waiting: number
  onDone: (result: Result) => void
  onClose: () => void
}) {
  const { t } = useTranslation('alarmList')
  const [count, setCount] = useState({ shown: waiting, before: null as number | null })
  return (
    <FormDialog
      title={t('allTitle', { count: count.shown })}
      submit={t('allSubmit', { count: count.shown })}
      onClose={onClose}
      onSubmit={async () => {
        try {
          const body = { Filter: filter, ...shown, Expect: count.shown }
          onDone(acknowledgedResult(await api.call(acknowledgeMatching, { body })))
          return null
        } catch (error) {
          const now = countIn(error)
          if (now === null) return messageOf(error)
          if (now === 0) {
            onDone({ counts: new Map([['already', count.shown]]), named: [] })
            return null
          }
          setCount({ shown: now, before: count.shown })
          return ''
        }
      }}
    >
      <p>{t('allWhat')}</p>
      {count.before !== null && (
        <p className="caution" role="alert">
          {t('allGrew', { before: count.before, count: count.shown })}
        </p>
      )}
    </FormDialog>
  )
}

/** How many there are by now, where that is why nothing was done. */
function countIn(error: unknown): number | null {
  if (!(error instanceof CallError) || error.message !== 'more came meanwhile' || error.problem.kind !== 'refusal') return null
  const now = error.problem.failure.Detail?.now
  return typeof now === 'number' ? now : null
}
