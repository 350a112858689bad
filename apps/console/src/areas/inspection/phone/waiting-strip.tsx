import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Counts } from '../../../app/offline/entry.ts'
import { countsOf } from '../../../app/offline/entry.ts'
import { useKept } from '../../../app/offline/kept.ts'
import { paths } from '../../../paths.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Mark } from '../../../ui/mark.tsx'

export const hasWaiting = ({ photos, answers, orders, others }: Counts): boolean => photos + answers + orders + others > 0

/** How much of this phone's work the server has not named yet; nothing where it has all. */
export function WaitingStrip() {
  const { t } = useTranslation('phoneRounds')
  const counts = countsOf(useKept(({ entries }) => entries))
  if (!hasWaiting(counts) && counts.flagged === 0) return null
  return (
    <Link to={paths.phoneWaiting} className="phone-waiting">
      {counts.flagged > 0 && <Mark kind="warning" />}
      <span>
        {hasWaiting(counts) && <WaitingWords counts={counts} />}
        {counts.flagged > 0 && <> {t('flagged', { count: counts.flagged })}</>}
      </span>
      <Icon name="right" />
    </Link>
  )
}

/** In words: photos first, because they take longest. */
export function WaitingWords({ counts: { photos, answers, orders, others } }: { counts: Counts }) {
  const { t } = useTranslation('phoneRounds')
  const parts = [
    photos > 0 ? t('photosWait', { count: photos }) : '',
    answers > 0 ? t('answersWait', { count: answers }) : '',
    orders > 0 ? t('ordersWait', { count: orders }) : '',
    others > 0 ? t('finishWaits', { count: others }) : '',
  ]
  return <>{t('toSend', { what: parts.filter((part) => part !== '').join(t('and')) })}</>
}
