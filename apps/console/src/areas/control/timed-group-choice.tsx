import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Segments } from '../../ui/fields.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { timedLines } from './timed-texts.ts'

addTexts({ timedLines })

/** What becomes of lines with timers where several are closed at once: unless their timers may go on, each is left open and says so. */
export function useTimedGroup(closes: boolean) {
  const { t } = useTranslation('timedLines')
  const [timed, setTimed] = useState<'leave' | 'next'>('leave')
  return {
    body: closes && timed === 'next' ? { Override: { Kind: timed } } : {},
    field: closes && (
      <div className="label">
        <span>{t('groupTimed')}</span>
        <Segments
          label={t('groupTimed')}
          value={timed}
          options={[
            { value: 'leave', label: t('groupLeave') },
            { value: 'next', label: t('groupNext') },
          ]}
          onChange={setTimed}
        />
      </div>
    ),
  }
}
