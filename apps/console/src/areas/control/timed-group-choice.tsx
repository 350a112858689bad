import type { Request, startRun } from '@linewarden/contract'
import type { GroupAction } from '@linewarden/rules/control'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../plant/equipment.ts'
import { Segments } from '../../ui/fields.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { timedLines } from './timed-texts.ts'
import { useKeepUntil } from './use-keep-until.tsx'

addTexts({ timedLines })

type Kind = 'leave' | NonNullable<Request<typeof startRun>['body']['Override']>['Kind']

/** What holds without a word: a closed line would be moved by its timers, so it is left; a tripped one stays open. */
const unsaid = { close: 'leave', trip: 'stay' } as const

/** What becomes of lines with timers where several are switched at once. */
export function useTimedGroup(action: GroupAction | null, lines: readonly LineRef[]) {
  const { t } = useTranslation('timedLines')
  // Chosen for one operation, it is chosen for no other.
  const [chosenFor, setChosenFor] = useState<{ readonly of: GroupAction; readonly kind: Kind } | null>(null)
  const keep = useKeepUntil(lines)
  const usual = action === 'trip' || action === 'close' ? unsaid[action] : null
  const kind = chosenFor?.of === action ? chosenFor.kind : usual
  return {
    /** True when it can be ordered. When not, the field says what is missing. */
    check: () => kind !== 'until' || keep.check(),
    body: (): Pick<Request<typeof startRun>['body'], 'Override'> => {
      if (kind === null || kind === usual || kind === 'leave') return {}
      return { Override: kind === 'until' ? { Kind: kind, Until: keep.at ?? 0 } : { Kind: kind } }
    },
    field: action !== null && usual !== null && kind !== null && (
      <>
        <div className="label">
          <span>{t('groupTimed')}</span>
          <Segments
            label={t('groupTimed')}
            value={kind}
            options={[
              usual === 'leave' ? { value: usual, label: t('groupLeave') } : { value: usual, label: t('groupStay') },
              { value: 'next', label: t(usual === 'leave' ? 'groupNext' : 'groupGoOn') },
              { value: 'until', label: t(usual === 'leave' ? 'groupUntil' : 'groupOpenUntil') },
            ]}
            onChange={(chosen) => setChosenFor({ of: action, kind: chosen })}
          />
        </div>
        {kind === 'until' && keep.field}
      </>
    ),
  }
}
