import { upgradeCandidates } from '@linewarden/contract'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { Field, SearchField } from '../../ui/fields.tsx'
import { chosenOf, TriCheck } from '../../ui/tri-check.tsx'

/** So many are listed at once; a project's own box takes all of it, listed or not. */
const maxListed = 300

/** Gateways of an image's model by project, each with what it runs now. */
export function PickGateways({
  imageId,
  chosen,
  onChange,
  error,
}: {
  imageId: number
  chosen: ReadonlySet<number>
  onChange: (chosen: ReadonlySet<number>) => void
  error: string | null
}) {
  const { t } = useTranslation(['firmware', 'app', 'gateway'])
  const id = useId()
  const [search, setSearch] = useState('')
  const query = useCall(upgradeCandidates, { params: { ImageID: imageId } })
  const wanted = search.trim().toLowerCase()
  const found = (query.data?.items ?? []).filter(({ GatewayName, Number: number }) =>
    `${GatewayName} ${number}`.toLowerCase().includes(wanted),
  )
  const projects = Object.groupBy(found, ({ HouseID }) => String(HouseID))
  const open = (some: typeof found) => some.filter(({ Upgrading }) => !Upgrading).map(({ DeviceID }) => DeviceID)
  const put = (ids: readonly number[], take: boolean) => {
    const after = new Set(chosen)
    for (const each of ids) {
      if (take) after.add(each)
      else after.delete(each)
    }
    onChange(after)
  }
  let listed = 0
  return (
    <Field id={id} label={t('gateways')} required error={error} hint={t('chosen', { count: chosen.size })}>
      <SearchField label={t('search')} value={search} onChange={setSearch} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="pick-gateways" id={id} tabIndex={0} role="group" aria-label={t('gateways')}>
        <Unloaded query={query} />
        {query.data && found.length === 0 && <p className="mute">{t('noCandidates')}</p>}
        {Object.entries(projects).map(([key, its = []]) => {
          const ids = open(its)
          const shown = its.slice(0, Math.max(0, maxListed - listed))
          listed += shown.length
          return (
            <div key={key}>
              <TriCheck
                chosen={chosenOf(ids.map(String), new Set([...chosen].map(String)))}
                disabled={ids.length === 0}
                onChange={(all) => put(ids, all)}
              >
                <b>{its[0]?.HouseName}</b> <span className="mute">{its.length}</span>
              </TriCheck>
              <ul>
                {shown.map(({ DeviceID, GatewayName, Number: number, Firmware, Standing, Upgrading, Link }) => (
                  <li key={DeviceID}>
                    <label>
                      <input
                        type="checkbox"
                        checked={chosen.has(DeviceID)}
                        disabled={Upgrading}
                        onChange={() => put([DeviceID], !chosen.has(DeviceID))}
                      />
                      {GatewayName}
                      <small>
                        {number} · {Firmware ?? '–'} · {Upgrading ? t('inUpgrade') : t(`versionStatus.${Standing}`)} ·{' '}
                        {t(`gateway:${Link}`)}
                      </small>
                    </label>
                  </li>
                ))}
              </ul>
            </div>
          )
        })}
      </div>
    </Field>
  )
}
