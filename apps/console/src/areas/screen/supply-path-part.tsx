import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { plantDiagram } from '../../paths.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { addTexts } from '../../ui/i18n.ts'
import { SupplyPath } from './supply-path.tsx'
import { screen } from './texts.ts'
import { usePlant } from './use-plant.ts'

addTexts({ screen })

/** How a line is supplied, in its drawer: every switch from the source down to it, as it stands now, and the way to the diagram. */
export function SupplyPathPart({ lineRef: { line, project } }: { lineRef: LineRef }) {
  const { t } = useTranslation('screen')
  const { plant, query } = usePlant(project.HouseID)
  if (plant && !plant.byId.has(line.LineID)) return null
  return (
    <section className="part" aria-label={t('supplyPath')}>
      <h3>
        {t('supplyPath')}
        <span className="grow" />
        <Link className="btn small quiet" to={plantDiagram(project.HouseID)}>
          {t('diagram')}
        </Link>
      </h3>
      {plant ? <SupplyPath plant={plant} lineId={line.LineID} /> : <Unloaded query={query} />}
    </section>
  )
}
