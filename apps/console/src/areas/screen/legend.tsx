import type { PlanPage, PlanWindow } from '@linewarden/rules/screen'
import { useTranslation } from 'react-i18next'
import { SwitchSymbol } from '../../ui/switch-symbol.tsx'
import { counted, countsOf } from './looks.ts'
import type { Plant } from './use-plant.ts'

/** What the signs mean, how many of each there are, and that nothing is missing. */
export function Legend({
  plant,
  pages,
  windows,
  shown,
  turn,
  enter,
}: {
  plant: Plant
  pages: readonly PlanPage[]
  windows: readonly PlanWindow[]
  shown: number
  turn: (to: number) => void
  /** Of somebody who may: enters what supplies the project. */
  enter?: () => void
}) {
  const { t } = useTranslation(['screen', 'monitor'])
  const counts = countsOf(plant)
  const drawn = new Set(
    pages.filter(({ part }) => part === 'all').flatMap(({ lines, ties }) => [...lines, ...ties].map(({ lineId }) => lineId)),
  )
  const folded = plant.lines.length - drawn.size
  return (
    <div className="wall-legend">
      {counted.map((state) => (
        <span key={state} className={counts[state] > 0 ? `sign ${state}` : 'sign none'}>
          <SwitchSymbol state={state} />
          <b>{counts[state]}</b>
          <em>{state === 'offline' ? t('offlineLast') : t(`monitor:${state}`)}</em>
        </span>
      ))}
      <i className="bar" />
      <span className="wide-only">
        <svg viewBox="0 0 44 14" width="44" height="14" aria-hidden="true">
          <path className="thin" d="M0 2h44" />
          <path className="thick" d="M0 10h44" />
        </svg>
        <em>{t('widthIsCurrent')}</em>
      </span>
      {(['dead', 'away', 'supplyUnknown'] as const).map((state) => (
        <span key={state} className="wide-only">
          <svg viewBox="0 0 44 14" width="44" height="14" aria-hidden="true">
            <path className={state} d="M0 7h44" />
          </svg>
          <em>{t(state)}</em>
        </span>
      ))}
      <span className="grow" />
      {windows[shown]?.page.part === 'opened' && <b className="opened">{t('opened')}</b>}
      <em>{t('shownFolded', { shown: drawn.size, folded, all: plant.lines.length })}</em>
      {enter && (
        <button type="button" className="btn small" onClick={enter}>
          {t('topology')}
        </button>
      )}
      {windows.length > 1 && (
        <span className="turn">
          <button type="button" className="turn-page" aria-label={t('previousPage')} onClick={() => turn(shown - 1)}>
            ‹
          </button>
          <em>{t('page', { page: shown + 1, pages: windows.length })}</em>
          <button type="button" className="turn-page" aria-label={t('nextPage')} onClick={() => turn(shown + 1)}>
            ›
          </button>
        </span>
      )}
    </div>
  )
}
