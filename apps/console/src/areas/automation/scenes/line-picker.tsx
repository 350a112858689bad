import type { SceneAction } from '@linewarden/rules/automation'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import type { LineRef } from '../../../plant/equipment.ts'
import { isCalled } from '../../../plant/equipment.ts'
import { useLineRefs, useProjects } from '../../../plant/queries.ts'
import { taggedAmong, tagsOn } from '../../../plant/tag-counts.ts'
import { TaggedMark, TagMark } from '../../../plant/tag-mark.tsx'
import { useTagCounts } from '../../../plant/tagged-lines.ts'
import { SearchField, Segments } from '../../../ui/fields.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { TriCheck } from '../../../ui/tri-check.tsx'
import type { ChosenLine, ChosenLines } from './chosen-lines.ts'
import { lineKey, withLines, withoutLines } from './chosen-lines.ts'

/** The lines of a project that can be tripped and closed, under their cabinets; the ticked ones are in the scene. */
export function LinePicker({
  houseId,
  chosen,
  onChange,
}: {
  houseId: number
  chosen: ChosenLines
  onChange: (chosen: ChosenLines) => void
}) {
  const { t } = useTranslation('scenes')
  const { projects, lacking } = useProjects([houseId])
  const all = useLineRefs(projects).filter(isSwitched)
  const tags = useTagCounts()
  const [search, setSearch] = useState('')
  const [action, setAction] = useState<SceneAction>('trip')
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const shown = all.filter(isCalled(search))
  const keys = new Set([...chosen.trip, ...chosen.close].map(lineKey))
  const tick = (lines: readonly LineRef[], add: boolean) =>
    onChange(
      add ? withLines(chosen, action, lines.map(chosenOf)) : withoutLines(chosen, new Set(lines.map(chosenOf).map(lineKey))),
    )
  const fold = (id: number) => {
    const after = new Set(folded)
    if (!after.delete(id)) after.add(id)
    setFolded(after)
  }
  return (
    <fieldset className="scene-picker">
      <legend>{t('pick')}</legend>
      <div className="bar">
        <SearchField label={t('pickSearch')} value={search} onChange={setSearch} />
        <span className="add-as">
          {t('addAs')}
          <Segments
            label={t('addAs')}
            value={action}
            options={[
              { value: 'trip', label: t('does.trip') },
              { value: 'close', label: t('does.close') },
            ]}
            onChange={setAction}
          />
        </span>
      </div>
      {lacking && <Unloaded query={lacking} />}
      <div className="pick-from">
        {[...Map.groupBy(shown, ({ gateway }) => gateway)].map(([gateway, own]) => {
          const count = own.filter((each) => keys.has(lineKey(chosenOf(each)))).length
          const isOpen = search.trim() !== '' || !folded.has(gateway.DeviceID)
          return (
            <section key={gateway.DeviceID} aria-label={gateway.GatewayName}>
              <div className="cabinet">
                <button
                  type="button"
                  className="btn small quiet"
                  aria-expanded={isOpen}
                  aria-label={gateway.GatewayName}
                  onClick={() => fold(gateway.DeviceID)}
                >
                  <Icon name={isOpen ? 'down' : 'right'} />
                </button>
                <TriCheck
                  chosen={count === 0 ? 'none' : count === own.length ? 'all' : 'some'}
                  onChange={(add) => tick(own, add)}
                >
                  <bdi>{gateway.GatewayName}</bdi>{' '}
                  <small className="mute">
                    {count}/{own.length}
                  </small>{' '}
                  <TaggedMark count={taggedAmong(tags, own.map(lineIdOf))} />
                </TriCheck>
              </div>
              {isOpen &&
                own.map((each) => (
                  <TriCheck
                    key={each.line.LineID}
                    chosen={keys.has(lineKey(chosenOf(each))) ? 'all' : 'none'}
                    onChange={(add) => tick([each], add)}
                  >
                    <bdi>{each.line.LineName}</bdi> <TagMark count={tagsOn(tags, each.line.LineID)} />{' '}
                    <small className="mute">{t('deviceNo', { device: each.device.ControllerID, no: each.line.LineNo })}</small>
                  </TriCheck>
                ))}
            </section>
          )
        })}
        {!lacking && all.length === 0 && <p className="mute">{t('noneToPick')}</p>}
        {all.length > 0 && shown.length === 0 && <p className="mute">{t('noneCalled')}</p>}
      </div>
    </fieldset>
  )
}

const lineIdOf = ({ line }: LineRef): number => line.LineID

const isSwitched = ({ line, family }: LineRef): boolean =>
  line.LineNo > 0 && ['trip', 'close'].every((wanted) => family?.actions.some(({ key }) => key === wanted) === true)

const chosenOf = ({ line, device, gateway }: LineRef): ChosenLine => ({
  ControllerID: device.ControllerID,
  LineNo: line.LineNo,
  LineID: line.LineID,
  LineName: line.LineName,
  place: gateway.GatewayName,
})
