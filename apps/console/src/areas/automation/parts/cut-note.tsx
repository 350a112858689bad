import { useTranslation } from 'react-i18next'
import { Mark } from '../../../ui/mark.tsx'
import { useByNow } from '../../../ui/use-now.ts'
import { civilText } from './civil-text.ts'

/** That more is due than was worked out, and up to when it was; nothing where all of it was. */
export function CutNote({ at, timeZone }: { at: number | null; timeZone: string }) {
  const { t } = useTranslation('automation')
  const minute = useByNow((now) => Math.floor(now / 60_000))
  if (at === null) return null
  const { date, time } = civilText(at, timeZone, minute * 60_000)
  return (
    <p className="cut-note" role="note">
      <Mark kind="warning" />
      {t('cutAt', { when: `${date} ${time}` })}
    </p>
  )
}
