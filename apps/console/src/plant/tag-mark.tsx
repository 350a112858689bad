import { useTranslation } from 'react-i18next'
import './tag-mark.css'

/** A lock-out tag is in force on the line: boxed, in ink, wherever the line is seen. Nothing where none hangs. */
export function TagMark({ count, plate = false }: { count: number; plate?: boolean }) {
  const { t } = useTranslation('monitor')
  if (count === 0) return null
  return (
    <span className={plate ? 'tag-mark plate' : 'tag-mark'} title={t('taggedHint', { count })}>
      {count > 1 || plate ? t('taggedCount', { count }) : t('tagged')}
    </span>
  )
}
