// The same relay with mcp-go on both sides and nothing else.
// Arguments: JSON of { name: { url } | { command, args } }. Writes its port as the first line.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

type source struct {
	URL     string   `json:"url"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

func main() {
	var sources map[string]source
	if err := json.Unmarshal([]byte(os.Args[1]), &sources); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	relay := server.NewMCPServer("mcp-go-relay", "1", server.WithToolCapabilities(false))
	for name, from := range sources {
		if err := join(ctx, relay, name, from); err != nil {
			log.Fatal(err)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, server.NewStreamableHTTPServer(relay)))
}

func join(ctx context.Context, relay *server.MCPServer, name string, from source) error {
	upstream, err := open(ctx, from)
	if err != nil {
		return err
	}
	hello := mcp.InitializeRequest{}
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: "mcp-go-relay", Version: "1"}
	if _, err := upstream.Initialize(ctx, hello); err != nil {
		return err
	}
	listed, err := upstream.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return err
	}
	for _, tool := range listed.Tools {
		inner := tool.Name
		tool.Name = name + "." + inner
		relay.AddTool(tool, func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			request.Params.Name = inner
			return upstream.CallTool(ctx, request)
		})
	}
	return nil
}

func open(ctx context.Context, from source) (*client.Client, error) {
	if from.Command != "" {
		return client.NewStdioMCPClient(from.Command, nil, from.Args...)
	}
	upstream, err := client.NewStreamableHttpClient(from.URL)
	if err != nil {
		return nil, err
	}
	return upstream, upstream.Start(ctx)
}
