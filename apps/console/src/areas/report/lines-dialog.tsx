import { maxDeviceDataLines } from '@linewarden/rules/report'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../plant/equipment.ts'
import { isCalled } from '../../plant/equipment.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { Empty } from '../../ui/body-state.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icon.tsx'
import { chosenOf, TriCheck } from '../../ui/tri-check.tsx'

/** Ticks lines of what the tree has selected, one by one or all of a gateway. */
export function LinesDialog(props: {
  lines: readonly LineRef[]
  chosen: readonly number[]
  /** In the order of the tree. */
  onDone: (ids: readonly number[]) => void
  onClose: () => void
}) {
  const { lines, chosen, onDone, onClose } = props
  const { t } = useTranslation(['deviceData', 'app'])
  const [search, setSearch] = useState('')
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set(chosen))
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const found = lines.filter(isCalled(search))
  const set = (some: readonly LineRef[], on: boolean) => {
    const after = new Set(ticked)
    for (const { line } of some) {
      if (on) after.add(line.LineID)
      else after.delete(line.LineID)
    }
    setTicked(after)
  }
  const fold = (id: number) => {
    const after = new Set(folded)
    if (!after.delete(id)) after.add(id)
    setFolded(after)
  }
  const isTooMany = ticked.size > maxDeviceDataLines
  const ids = lines.map(({ line }) => line.LineID).filter((id) => ticked.has(id))
  return (
    <Dialog label={t('pickLines')} wide onClose={onClose}>
      <h2>{t('pickLines')}</h2>
      <div className="content data-lines">
        <SearchField label={t('findLine')} value={search} onChange={setSearch} />
        {found.length === 0 && <Empty title={t('noneCalled')} />}
        <ul>
          {[...Map.groupBy(found, ({ gateway }) => gateway)].map(([gateway, inside]) => (
            <GatewayLines
              key={gateway.DeviceID}
              gateway={gateway}
              inside={inside}
              ticked={ticked}
              isOpen={search !== '' || !folded.has(gateway.DeviceID)}
              onFold={() => fold(gateway.DeviceID)}
              onTick={set}
            />
          ))}
        </ul>
      </div>
      <div className="foot">
        <span className={isTooMany ? 'aside wrong-note' : 'aside mute'} role={isTooMany ? 'alert' : undefined}>
          {t(isTooMany ? 'tooManyLines' : 'chosenLines', { count: ticked.size, most: maxDeviceDataLines })}
        </span>
        <button type="button" className="btn" onClick={onClose}>
          {t('app:cancel')}
        </button>
        <button type="button" className="btn primary" disabled={isTooMany || ids.length === 0} onClick={() => onDone(ids)}>
          {t('takeLines', { count: ids.length })}
        </button>
      </div>
    </Dialog>
  )
}

function GatewayLines(props: {
  gateway: LineRef['gateway']
  inside: readonly LineRef[]
  ticked: ReadonlySet<number>
  isOpen: boolean
  onFold: () => void
  onTick: (some: readonly LineRef[], on: boolean) => void
}) {
  const { gateway, inside, ticked, isOpen, onFold, onTick } = props
  const { t } = useTranslation('deviceData')
  const keys = new Set([...ticked].map(String))
  return (
    <li>
      <div className="of-gateway">
        <button
          type="button"
          className="btn small quiet"
          aria-expanded={isOpen}
          aria-label={t('linesOf', { name: gateway.GatewayName })}
          onClick={onFold}
        >
          <Icon name={isOpen ? 'down' : 'right'} />
        </button>
        <TriCheck
          chosen={chosenOf(
            inside.map(({ line }) => String(line.LineID)),
            keys,
          )}
          onChange={(on) => onTick(inside, on)}
        >
          <b>
            <bdi>{gateway.GatewayName}</bdi>
          </b>
        </TriCheck>
      </div>
      {isOpen && (
        <ul aria-label={gateway.GatewayName}>
          {inside.map((each) => (
            <li key={each.line.LineID}>
              <TriCheck chosen={ticked.has(each.line.LineID) ? 'all' : 'none'} onChange={(on) => onTick([each], on)}>
                <bdi>{each.line.LineName || each.device.Name}</bdi> <LineTag lineId={each.line.LineID} />{' '}
                {each.line.LineName !== '' && each.line.LineName !== each.device.Name && (
                  <small className="mute">
                    <bdi>{each.device.Name}</bdi>
                  </small>
                )}
              </TriCheck>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
