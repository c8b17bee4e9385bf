-- wrk: the request of the file BODY with the fields of the file FIELDS.
local function read(name)
  local f = assert(io.open(os.getenv(name)))
  local text = f:read("*a")
  f:close()
  return text
end
wrk.method = "POST"
wrk.body = read("BODY")
wrk.headers["Content-Type"] = "application/json"
for line in read("FIELDS"):gmatch("[^\n]+") do
  local name, value = line:match("^([^:]+): (.*)$")
  wrk.headers[name] = value
end
function done(summary, latency, requests)
  local bad = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout
  io.write(string.format("%.0f requests/s, p50 %.2f ms, p99 %.2f ms, errors %d\n",
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000, bad))
end
