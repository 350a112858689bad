import type { EnergyFix, Project } from '@linewarden/contract'
import { listFixes } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { projectMoment } from '../../plant/project-moment.ts'
import { Empty } from '../../ui/body-state.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { grouped } from './figures.ts'
import { FixDialog, UndoDialog } from './fix-dialog.tsx'
import { energyFixes } from './fix-texts.ts'

addTexts({ energyFixes })

/** What was entered over the energy of a project's lines, the latest first. */
export function FixList({ house, reason }: { house: Project; reason: string | null }) {
  const { t } = useTranslation('energyFixes')
  const query = useCall(listFixes, { query: { HouseID: house.HouseID } })
  const [editing, setEditing] = useState<'new' | EnergyFix | null>(null)
  const fixes = query.data?.items
  return (
    <section className="energy-part" aria-label={t('fixes')}>
      <header>
        <h2>{t('fixes')}</h2>
        <ReasonedButton className="btn" reason={reason} onClick={() => setEditing('new')}>
          {t('add')}
        </ReasonedButton>
      </header>
      <p className="mute">{t('hint')}</p>
      {!fixes && <Unloaded query={query} />}
      {fixes?.length === 0 && <Empty title={t('none')} hint={t('noneHint')} />}
      <ul className="energy-cards">
        {fixes?.map((fix) => (
          <li key={fix.FixID} aria-label={fix.Name}>
            <FixFacts house={house} fix={fix} />
            {fix.UndoneAt === null && (
              <div className="acts">
                <ReasonedButton className="btn small quiet" reason={reason} onClick={() => setEditing(fix)}>
                  {t('undo')}
                </ReasonedButton>
              </div>
            )}
          </li>
        ))}
      </ul>
      {editing === 'new' && <FixDialog house={house} onClose={() => setEditing(null)} />}
      {editing !== null && editing !== 'new' && <UndoDialog house={house} fix={editing} onClose={() => setEditing(null)} />}
    </section>
  )
}

function FixFacts({ house: { TimeZone }, fix }: { house: Project; fix: EnergyFix }) {
  const { t } = useTranslation('energyFixes')
  const from = projectMoment(fix.From, TimeZone)
  const to = projectMoment(fix.To, TimeZone)
  const typed = projectMoment(fix.TypedAt, TimeZone)
  const undone = fix.UndoneAt === null ? null : projectMoment(fix.UndoneAt, TimeZone)
  return (
    <>
      <h3>{fix.Name}</h3>
      <p className="mute">{fix.GatewayName}</p>
      <p>
        <b>{t('between', { from, to })}</b>
        <span>{t(`methods.${fix.Method}`)}</span>
        {fix.Wh !== null && <span>{grouped(fix.Wh / 1_000, 3)} kWh</span>}
        {fix.StartKwh !== null && fix.EndKwh !== null && <span>{t('registers', { start: fix.StartKwh, end: fix.EndKwh })}</span>}
      </p>
      <p className="mute">
        <span>{fix.Reason}</span>
        <span>{fix.TypedBy === null ? t('typedAt', { at: typed }) : t('typedBy', { name: fix.TypedBy, at: typed })}</span>
        {undone !== null && (
          <span>{fix.UndoneBy === null ? t('undone', { at: undone }) : t('undoneBy', { name: fix.UndoneBy, at: undone })}</span>
        )}
      </p>
    </>
  )
}
