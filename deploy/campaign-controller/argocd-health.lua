-- Health of Campaigns, Policies and Orders for Argo CD: put it into ConfigMap argocd-cm as
-- resource.customizations.health.flotilla.dev_Campaign, and as ..._Policy and ..._Order.
local health = {status = "Progressing", message = "the controller has not seen it yet"}
if obj.status == nil or obj.status.observedGeneration ~= obj.metadata.generation then
  return health
end
local byPhase = {
  Completed = "Healthy", Accepted = "Healthy", Paused = "Suspended",
  Rejected = "Degraded", Aborted = "Degraded", Conflict = "Degraded", Invalid = "Degraded", Replaced = "Degraded",
}
health.status = byPhase[obj.status.phase] or "Progressing"
health.message = obj.status.message
return health
