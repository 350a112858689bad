import { useTranslation } from 'react-i18next'

/** How many lines are shown in which order, and what the marks in the cells mean. */
export function TableFoot({ count, isWhole, grouped }: { count: number; isWhole: boolean; grouped: boolean }) {
  const { t } = useTranslation('monitor')
  return (
    <div className="pager">
      <span>{t(isWhole ? 'shown' : 'shownInPart', { count })}</span>
      <span>{grouped ? t('byGateway') : t('byValue')}</span>
      <span className="grow" />
      <span className="legend">{t('legendMissing')}</span>
      <span className="legend">{t('legendNoPhase')}</span>
      <span className="legend">
        <i className="quality">{t('staleMark')}</i> {t('legendStale')}
      </span>
    </div>
  )
}
