import { useTranslation } from 'react-i18next'
import { Mark } from '../../../ui/mark.tsx'
import type { LoopBox } from './loop-path.ts'

/** A loop of linkages as a ring of boxes: plain ones are linkages, sunken ones the lines over which one causes the next. */
export function LoopRing({ boxes }: { boxes: readonly LoopBox[] }) {
  const { t } = useTranslation('linkageForm')
  return (
    <div className="loop" role="alert">
      <p className="loop-title">
        <Mark kind="alarm" />
        {t('loopTitle')}
      </p>
      <ol className="loop-ring">
        {boxes.map(({ kind, name, effect }, index) => (
          <li key={`${kind} ${name} ${String(index)}`}>
            <span className={`loop-box ${kind}`}>
              <small>{t(kind === 'linkage' ? 'loopLinkage' : 'loopLine')}</small>
              <bdi>{name}</bdi>
            </span>
            <span className="loop-arrow">{effect && <small>{t(`effect.${effect}`)}</small>}</span>
          </li>
        ))}
        <li className="loop-back">
          <small>{t('loopBack', { name: boxes[0]?.name ?? '' })}</small>
        </li>
      </ol>
      <p className="loop-what">{t('loopWhat')}</p>
    </div>
  )
}
