import type { EnergyPicture } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'

/** Opens where the energy of a stretch comes from, Unix ms. */
export type OpenOrigin = (from: number, to: number) => void

/** The figure of a bar; what is known opens where it comes from. */
export function BarFigure(props: { bar: EnergyPicture['Bars'][number]; figure: string; onOrigin: OpenOrigin }) {
  const { bar, figure, onOrigin } = props
  if (bar.Wh === null || figure === '–') return figure
  return <Figure figure={figure} period={bar.Civil} onOpen={() => onOrigin(bar.Start, bar.End)} />
}

/** The figure of a whole period likewise. */
export function WholeFigure(props: { picture: EnergyPicture; figure: string; period: string; onOrigin: OpenOrigin }) {
  const { picture, figure, period, onOrigin } = props
  const [first, last] = [picture.Bars[0], picture.Bars.at(-1)]
  if (picture.Total.Wh === null || figure === '–' || !first || !last) return figure
  return <Figure figure={figure} period={period} onOpen={() => onOrigin(first.Start, last.End)} />
}

function Figure({ figure, period, onOpen }: { figure: string; period: string; onOpen: () => void }) {
  const { t } = useTranslation('energy')
  return (
    <button type="button" className="energy-figure" aria-label={t('originOf', { figure, period })} onClick={onOpen}>
      {figure}
    </button>
  )
}
