import { area, callsIn } from '../../core/area.ts'
import * as balance from './balance.ts'
import * as budgets from './budgets.ts'
import * as carbon from './carbon.ts'
import * as costExport from './cost-export.ts'
import * as energy from './energy.ts'
import * as fixes from './fixes.ts'
import * as handReadings from './hand-readings.ts'
import * as load from './load.ts'
import * as meters from './meters.ts'
import * as names from './names.ts'
import * as origin from './origin.ts'
import { pages } from './pages.ts'
import * as powerFactor from './power-factor.ts'
import * as prices from './prices.ts'
import * as report from './report.ts'
import { reports } from './reports.ts'
import * as running from './running.ts'
import * as statementBills from './statement-bills.ts'
import * as statements from './statements.ts'
import * as supplies from './supplies.ts'
import * as supplyBill from './supply-bill.ts'
import * as tariffs from './tariffs.ts'
import * as virtual from './virtual.ts'

export * from './balance.ts'
export * from './budgets.ts'
export * from './carbon.ts'
export * from './cost-export.ts'
export * from './energy.ts'
export * from './fixes.ts'
export * from './flow-option.ts'
export * from './hand-readings.ts'
export * from './load.ts'
export * from './meters.ts'
export * from './origin.ts'
export * from './power-factor.ts'
export * from './prices.ts'
export * from './report.ts'
export * from './running.ts'
export * from './statement.ts'
export * from './statement-bills.ts'
export * from './statement-figures.ts'
export * from './statement-problems.ts'
export * from './statements.ts'
export * from './supplies.ts'
export * from './supply-bill.ts'
export * from './tariff.ts'
export * from './tariff-rules.ts'
export * from './tariff-sheet.ts'
export * from './tariffs.ts'
export * from './virtual.ts'

export const energyArea = area({
  name: 'energy',
  pages,
  calls: callsIn(
    balance,
    budgets,
    carbon,
    costExport,
    energy,
    fixes,
    handReadings,
    load,
    meters,
    origin,
    powerFactor,
    prices,
    report,
    running,
    statementBills,
    statements,
    supplies,
    supplyBill,
    tariffs,
    virtual,
  ),
  names,
  reports,
})
