import * as contract from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import { maxExported } from './project-records.ts'
import type { Site } from './service.ts'

export function siteRoutes(serve: Serve, site: Site): void {
  serve(contract.tree, ({ actor, project, query }) => site.tree(actor, project, query))
  serve(contract.searchTree, ({ actor, query }) => site.search(actor, query.Text))
  groupRoutes(serve, site)
  projectRoutes(serve, site)
  connectionRoutes(serve, site)
  gatewayRoutes(serve, site)
  findingRoutes(serve, site)
}

function groupRoutes(serve: Serve, { groups }: Site): void {
  serve(contract.addGroup, ({ actor, body }) => groups.add(actor, body))
  serve(contract.queryGroups, ({ actor, body }) => groups.list(actor, body))
  serve(contract.editGroup, ({ actor, group, body }) => groups.edit(actor, group, body))
  serve(contract.moveToGroup, ({ actor, projects, group }) => groups.move(actor, projects, group))
  serve(contract.deleteGroup, ({ actor, group }) => groups.remove(actor, group))
}

function projectRoutes(serve: Serve, { projects, projectRecords, gatewayRecords }: Site): void {
  serve(contract.addProject, ({ actor, group, body }) => projects.add(actor, group, body))
  serve(contract.editProject, ({ actor, project, body }) => projects.edit(actor, project, body))
  serve(contract.deleteProject, ({ actor, project }) => projects.remove(actor, project))
  serve(contract.projectDetails, async ({ actor, project }) => {
    const record = await projectRecords.byId(actor, project.id)
    const { items } = await gatewayRecords.list(actor, project, { Size: contract.maxGateways })
    return { ...record, GatewayCount: items.length, Devices: [...items] }
  })
  serve(contract.listProjects, ({ actor, group, query }) => projectRecords.list(actor, group, query))
  serve(contract.lookupProjects, ({ actor, query }) => projectRecords.lookup(actor, query.HouseName))
  serve(contract.projectsOfUser, ({ actor, query }) => projectRecords.ofUser(actor, query.UserName))
  serve(contract.projectsByGroup, ({ actor }) => projectRecords.byGroup(actor))
  serve(contract.setProjectCcid, ({ actor, project, body }) => projects.setCcid(actor, project, body))
  serve(contract.transferProject, ({ actor, project, body }) => projects.transfer(actor, project, body))
  serve(contract.reportProjects, ({ actor, group, query }) => projectRecords.list(actor, group, { ...query, Size: maxExported }))
}

function connectionRoutes(serve: Serve, { connection }: Site): void {
  serve(contract.gatewayAccess, () => connection.access())
  serve(contract.announcedGateways, () => connection.announced())
  serve(contract.dismissGateway, ({ actor, body }) => connection.dismiss(actor, body.Number))
}

function gatewayRoutes(serve: Serve, { gateways, gatewayAdding, gatewayRecords, gatewayDetails }: Site): void {
  serve(contract.addGateway, ({ actor, project, body }) => gatewayAdding.add(actor, project, body))
  serve(contract.addGateways, ({ actor, project, body }) => gatewayAdding.addMany(actor, project, body))
  serve(contract.proposeNumbers, ({ body }) => gatewayAdding.proposeNumbers(body.Count ?? 1))
  serve(contract.renameGateway, ({ actor, gateway, body }) => gateways.rename(actor, gateway, body))
  serve(contract.renameLine, ({ actor, gateway, params, body }) => gateways.renameLine(actor, gateway, params.LineID, body))
  serve(contract.deleteGateway, ({ actor, gateway }) => gateways.remove(actor, gateway))
  serve(contract.enableGateway, ({ actor, gateway, body }) => gateways.enable(actor, gateway, body.Enabled))
  serve(contract.rotateSecret, ({ actor, gateway }) => gateways.rotateSecret(actor, gateway))
  serve(contract.transferGateways, (context) => gateways.transfer(context.actor, context.gateways, context.project))
  serve(contract.listGateways, ({ actor, project, body }) => gatewayRecords.list(actor, project, body))
  // A shared account has nothing of its own, everybody else nothing of somebody else's.
  const none = { items: [], total: 0 }
  serve(contract.ownGateways, ({ actor, project, body }) => (actor.shared ? none : gatewayRecords.list(actor, project, body)))
  serve(contract.gatewaysSharedWithMe, ({ actor, project, body }) =>
    actor.shared ? gatewayRecords.list(actor, project, body) : none,
  )
  serve(contract.gatewayDetails, ({ gateway }) => gatewayDetails(gateway))
}

function findingRoutes(serve: Serve, { finding, ledger }: Site): void {
  serve(contract.allGateways, ({ actor }) => finding.names(actor))
  serve(contract.gatewaysWithDevices, ({ actor }) => finding.withDevices(actor))
  serve(contract.searchGateways, ({ actor, query }) => finding.search(actor, query.GatewayName))
  serve(contract.searchLines, ({ actor, query }) => finding.searchLines(actor, query.LineName))
  serve(contract.gatewayByNumber, ({ actor, params }) => finding.byNumber(actor, params.Number))
  serve(contract.devicesOfGateway, ({ gateway }) => finding.devices(gateway))
  serve(contract.listDevices, ({ actor, project, body }) => ledger.list(actor, project, body))
  serve(contract.equipmentLedger, ({ actor, project, body }) => ledger.list(actor, project, body))
  serve(contract.editEquipment, ({ actor, device, body }) => ledger.edit(actor, device, body))
}
