import type {
  CarbonFactorRecord,
  CarbonOfProject,
  chooseCarbon as chooseCall,
  EnergyPicture,
  Request,
  saveCarbonFactor as saveCall,
} from '@linewarden/contract'
import { aboutNothing, Refusal } from '@linewarden/contract'
import { bundledDays } from '@linewarden/rules/automation'
import type { CarbonBasis, CarbonFactor } from '@linewarden/rules/energy'
import { builtInCarbonFactors, carbonFactorOf, carbonG, carbonOf, isCarbonFactor } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { StoredCarbon } from '../../store/energy/carbon.ts'
import { chooseCarbon, readCarbon, saveCarbonFactor } from '../../store/energy/carbon.ts'
import { invalid } from './asked.ts'
import type { WithoutCarbon } from './picture.ts'

export type Carbons = ReturnType<typeof createCarbons>

const maxFactors = 200

/** By which carbon factors projects go. */
export function createCarbons({ database, clock }: { readonly database: Database; readonly clock: () => number }) {
  const get = async (actor: Actor, project: PlantProject): Promise<CarbonOfProject> =>
    recordOf(project, await readCarbon(database.general, project.id), !actor.shared)
  return {
    get,

    async choose(actor: Actor, project: PlantProject, { Version, Region, Basis }: Request<typeof chooseCall>['body']) {
      if (actor.shared) throw new Refusal('access denied')
      const region = Region.trim()
      const asked = { projectId: project.id, owner: project.ownerId, version: Version, region, basis: Basis }
      refuse(await chooseCarbon(database, asked, auditOf(actor, project, 'carbon.choose', { region, basis: Basis })))
      return get(actor, project)
    },

    async saveFactor(actor: Actor, project: PlantProject, body: Request<typeof saveCall>['body']) {
      if (actor.shared) throw new Refusal('access denied')
      const { Year, Basis, Version, KgPerKwh, Source } = body
      const [region, source] = [body.Region.trim(), Source.trim()]
      if (KgPerKwh !== null && !isCarbonFactor(KgPerKwh.trim())) throw invalid('body.KgPerKwh', factorTexts.wrong)
      if (KgPerKwh !== null && source === '') throw invalid('body.Source', factorTexts.noSource)
      const columns =
        KgPerKwh === null
          ? null
          : { kg_per_kwh: KgPerKwh.trim(), source, typed_at: new Date(clock()), typed_name: actor.userName }
      const asked = {
        ...{ projectId: project.id, owner: project.ownerId, version: Version, most: maxFactors },
        ...{ key: { year: Year, region, basis: Basis }, columns },
      }
      const after = { year: Year, region, basis: Basis, kgPerKwh: KgPerKwh, source }
      refuse(await saveCarbonFactor(database, asked, auditOf(actor, project, 'carbon.factor', after)))
      return get(actor, project)
    },
  }

  function auditOf(actor: Actor, project: PlantProject, action: 'carbon.choose' | 'carbon.factor', after: object) {
    return { ...by(actor, clock(), action, project.ownerId), subject: aboutNothing, target: project.name, after }
  }
}

const factorTexts = {
  wrong: { zh: '因子应为 0–3 kg/kWh 的数字，最多 8 位小数', en: 'A factor is a number from 0 to 3 kg/kWh with at most 8 places' },
  noSource: { zh: '请填写依据，例如公告的名称和文号', en: 'Say what it follows, such as the title and number of a notice' },
} as const

function refuse(saved: 'done' | 'noProject' | 'changed' | 'many'): void {
  if (saved === 'noProject') throw new Refusal('project not exists')
  if (saved === 'changed') throw new Refusal('changed meanwhile')
  if (saved === 'many') throw new Refusal('too many', { what: { zh: '碳排放因子', en: 'carbon factors' }, most: maxFactors })
}

interface InForce {
  /** Null: by none. */
  readonly region: string | null
  readonly basis: CarbonBasis
  readonly factors: readonly CarbonFactor[]
}

/** Where nobody chose, a project in China goes by the average of the country. */
function inForce({ timeZone }: PlantProject, { choice, factors }: StoredCarbon): InForce {
  const isChinese = bundledDays(timeZone).length > 0
  return {
    region: choice?.region ?? (isChinese ? 'CN' : null),
    basis: choice?.basis ?? 'average',
    factors: [
      ...builtInCarbonFactors,
      ...factors.map(({ region, basis, year, kg_per_kwh: kgPerKwh, source }) => ({ region, basis, year, kgPerKwh, source })),
    ],
  }
}

function recordOf(project: PlantProject, stored: StoredCarbon, isNamed: boolean): CarbonOfProject {
  const { region, basis } = inForce(project, stored)
  const builtIn = builtInCarbonFactors.map(
    (factor): CarbonFactorRecord => ({
      ...{ Year: factor.year, Region: factor.region, Basis: factor.basis, KgPerKwh: factor.kgPerKwh, Source: factor.source },
      ...{ IsBuiltIn: true, TypedBy: null, TypedAt: null, Version: 0 },
    }),
  )
  const typed = stored.factors.map(
    (row): CarbonFactorRecord => ({
      ...{ Year: row.year, Region: row.region, Basis: row.basis, KgPerKwh: row.kg_per_kwh, Source: row.source },
      ...{ IsBuiltIn: false, TypedBy: isNamed ? row.typed_name : null, TypedAt: row.typed_at.getTime(), Version: row.version },
    }),
  )
  const Factors = [...typed, ...builtIn].toSorted((one, other) => other.Year - one.Year)
  return { Region: region, Basis: basis, IsSet: stored.choice !== null, Version: stored.choice?.version ?? 0, Factors }
}

/** A picture with the carbon of each bar, by the factor of its year; a year without one has none, and neither has their sum. */
export async function withCarbon(
  database: Pick<Database, 'general'>,
  project: PlantProject,
  picture: WithoutCarbon,
): Promise<EnergyPicture> {
  const { region, basis, factors } = inForce(project, await readCarbon(database.general, project.id))
  const years = new Map<number, ReturnType<typeof carbonFactorOf>>()
  let sum: bigint | null = 0n
  const Bars = picture.Bars.map((bar) => {
    const year = Number(bar.Civil.slice(0, 4))
    const found = years.get(year) ?? (region === null ? null : carbonFactorOf(factors, { region, basis }, year))
    years.set(year, found)
    if (bar.Wh === null) return { ...bar, CarbonG: null }
    const carbon = found && carbonOf(bar.Wh, found.factor)
    sum = sum === null || carbon === null ? null : sum + carbon
    return { ...bar, CarbonG: carbon === null ? null : carbonG(carbon) }
  })
  const isKnown = sum !== null && picture.Total.Wh !== null
  return {
    ...picture,
    ...{ Bars, Total: { ...picture.Total, CarbonG: isKnown ? carbonG(sum ?? 0n) : null } },
    Carbon: {
      ...{ Region: region, Basis: basis },
      Years: [...years].map(([year, found]) => ({
        ...{
          Year: year,
          KgPerKwh: found?.factor.kgPerKwh ?? null,
          Of: found?.factor.year ?? null,
          Source: found?.factor.source ?? null,
        },
      })),
    },
  }
}
